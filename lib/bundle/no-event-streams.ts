/**
 * Stands in for `@smithy/core/event-streams` inside the bundles. The SDK asks for it only where an operation streams events,
 * and none of DynamoDB, SQS and KMS does.
 */
const refuse = (): never => {
  throw new Error('This build has no event streams.');
};

export { refuse as EventStreamSerde, refuse as eventStreamSerdeProvider };
