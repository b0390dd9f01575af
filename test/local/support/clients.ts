/** The clients as the functions make them, in a module that the build can bundle and a test can import. */
export { PutCommand } from '@aws-sdk/lib-dynamodb';
export { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
export { GetPublicKeyCommand, KMSClient } from '@aws-sdk/client-kms';
export { documentClient } from '../../../functions/dynamodb/client.ts';
