import { LogFormatter, LogItem } from '@aws-lambda-powertools/logger';
import type { LogAttributes, UnformattedAttributes } from '@aws-lambda-powertools/logger/types';

/** Only what tells something: the trace is found by the request id, and we never sample. */
export class LogFormat extends LogFormatter {
  override formatAttributes(standard: UnformattedAttributes, own: LogAttributes): LogItem {
    const { logLevel, message, timestamp, serviceName } = standard;
    const attributes = { level: logLevel, message, timestamp: this.formatTimestamp(timestamp), service: serviceName };
    return new LogItem({ attributes }).addAttributes(own);
  }
}
