/** A dependency throttles or is down: nothing is known to be lost and the call is safe to repeat. */
export class TemporarilyUnavailable extends Error {
  override readonly name = 'TemporarilyUnavailable';
}
