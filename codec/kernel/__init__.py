"""The kernel engine: Avro and Protobuf bytes straight to objects and back, compiled."""
