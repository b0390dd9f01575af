/**
 * Stands in for the SDK's adaptive retries and their rate limiter. They come into play where `AWS_RETRY_MODE` asks for them,
 * which the stack never does; the standard ones are left as they are.
 */
export function AdaptiveRetryStrategy(): never {
  throw new Error('This build has no adaptive retries: leave AWS_RETRY_MODE alone.');
}
