// The envelope of a render as what it holds.

/** The file in a render's reply, as a Response with its media type. */
export function fileFrom({ output }) {
  const body = output.contentBase64 === undefined ? asText(output.content) : bytesOf(output.contentBase64);
  return new Response(new Blob([body], { type: output.mimeType }));
}

const asText = (content) => (typeof content === "string" ? content : JSON.stringify(content));

export const bytesOf = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
