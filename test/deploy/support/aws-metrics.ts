/** Metrics that AWS itself emits, with the dimensions that its documentation gives them, as far as we look at them. */
export const AWS_METRICS: Readonly<Record<string, readonly string[]>> = {
  'AWS/SQS ApproximateNumberOfMessagesVisible': ['QueueName'],
  'AWS/SQS ApproximateAgeOfOldestMessage': ['QueueName'],
  'AWS/SQS NumberOfMessagesSent': ['QueueName'],
  'AWS/Lambda Errors': ['FunctionName'],
  'AWS/Lambda Throttles': ['FunctionName'],
  'AWS/Lambda Duration': ['FunctionName'],
  'AWS/ApiGateway 5xx': ['ApiId'],
  'AWS/ApiGateway 4xx': ['ApiId'],
  'AWS/ApiGateway Count': ['ApiId'],
  'AWS/ApiGateway Latency': ['ApiId'],
  'AWS/DynamoDB WriteThrottleEvents': ['TableName'],
  'AWS/DynamoDB ConsumedWriteCapacityUnits': ['TableName'],
  'AWS/DynamoDB ConsumedReadCapacityUnits': ['TableName'],
};

export function isAwsMetric(namespace: string, name: string, dimensions: readonly string[]): boolean {
  return AWS_METRICS[`${namespace} ${name}`]?.toSorted().join() === dimensions.toSorted().join();
}
