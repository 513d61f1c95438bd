"""The library engine: fastavro, protobuf and msgspec do the bytes, this maps the values."""
