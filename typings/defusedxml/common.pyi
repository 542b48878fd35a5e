class DefusedXmlException(ValueError): ...  # noqa: N818 - its own name
