/** Calls an operation that no function of this service calls. */
export { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
