/**
 * Stands in for `@smithy/core/event-streams` inside the bundles, and for what writes down the headers of an event to be
 * signed. The SDK asks for them only where an operation streams events, and none of DynamoDB, SQS and KMS does.
 */
const refuse = (): never => {
  throw new Error('This build has no event streams.');
};

/** Every signer makes one, and asks it for nothing. */
export class HeaderFormatter {
  readonly format = refuse;
}

export { refuse as EventStreamSerde, refuse as eventStreamSerdeProvider };
