"""The mails that are sent: plain text, one link, nothing of the service's that the reader does not need."""

from __future__ import annotations

from email.message import EmailMessage
from email.utils import make_msgid

_VERIFICATION = """\
Hello,

somebody, we think you, signed up to Scenograph with this address. Open this link and confirm:

{link}

It works once, within 24 hours. The account it verifies is {account}; its key was shown when it was made.

If it was not you, do nothing: the account stays unverified, and nothing else happens.
"""


def verification(sender: str, to: str, link: str, account: str) -> EmailMessage:
    """The mail that proves an address. `link` holds the one-time token, so the mail is a secret like a key."""
    letter = EmailMessage()
    letter["Subject"] = "Confirm your address for Scenograph"
    letter["From"] = sender
    letter["To"] = to
    letter["Message-ID"] = make_msgid(domain=sender.rpartition("@")[2])
    letter["Auto-Submitted"] = "auto-generated"  # RFC 3834: nobody's holiday note answers it
    letter.set_content(_VERIFICATION.format(link=link, account=account), cte="7bit")
    return letter
