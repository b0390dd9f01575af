/** A connection to a server of HTTP/1.1 that carries one call after another. */
import { type Socket, connect } from 'node:net';

export interface EngineAnswer {
  readonly status: number;
  readonly body: Buffer;
}

interface Waiting {
  readonly resolve: (answer: EngineAnswer) => void;
  readonly reject: (error: Error) => void;
}

export class KeptConnection {
  readonly #socket: Socket;
  #waiting: Waiting | undefined;
  #received: Buffer[] = [];
  #length = 0;
  /** The bytes of the whole answer, once its head says it. */
  #expected = 0;

  constructor(host: string, port: number) {
    this.#socket = connect({ host, port, noDelay: true })
      .on('data', (part) => this.#receive(part))
      .on('error', (error) => this.#waiting?.reject(error))
      .on('close', () => this.#waiting?.reject(new Error('The engine closed the connection.')));
  }

  get isClosed(): boolean {
    return this.#socket.destroyed || this.#socket.readableEnded;
  }

  close(): void {
    this.#socket.destroy();
  }

  /**
   * Sends a call, of which the head ends with an empty line, and reads its answer. The call before must have been answered.
   *
   * @throws Error if the connection breaks or the answer is not HTTP/1.1
   */
  send(head: string, body: Buffer): Promise<EngineAnswer> {
    return new Promise<EngineAnswer>((resolve, reject) => {
      this.#waiting = { resolve, reject };
      // The process does not wait for connections without a call.
      this.#socket.ref();
      this.#socket.cork();
      this.#socket.write(head, 'latin1');
      this.#socket.write(body);
      this.#socket.uncork();
    }).finally(() => {
      this.#waiting = undefined;
      this.#socket.unref();
    });
  }

  #receive(part: Buffer): void {
    this.#received.push(part);
    this.#length += part.length;
    if (this.#length < this.#expected) return;
    const bytes = this.#received.length === 1 ? part : Buffer.concat(this.#received);
    try {
      const answer = answerIn(bytes);
      if ('body' in answer) return this.#end(answer);
      [this.#received, this.#expected] = [[bytes], answer.expected];
    } catch (error) {
      this.#socket.destroy(error instanceof Error ? error : undefined);
    }
  }

  #end(answer: EngineAnswer): void {
    [this.#received, this.#length, this.#expected] = [[], 0, 0];
    this.#waiting?.resolve(answer);
  }
}

const HEAD_END = '\r\n\r\n';

/** The answer, or how many bytes there must be before it is worth another look. */
function answerIn(bytes: Buffer): EngineAnswer | { readonly expected: number } {
  const end = bytes.indexOf(HEAD_END);
  const atLeast = { expected: bytes.length + 1 };
  if (end === -1) return atLeast;
  const head = bytes.toString('latin1', 0, end);
  const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(head) ?? [];
  if (status === undefined) throw new Error('The engine does not answer in HTTP/1.1.');
  const start = end + HEAD_END.length;
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(head) ?? [];
  if (length !== undefined) {
    const expected = start + Number(length);
    return bytes.length < expected ? { expected } : { status: Number(status), body: bytes.subarray(start, expected) };
  }
  if (!/\r\ntransfer-encoding: *chunked/i.test(head)) throw new Error('The engine gives no length of its answer.');
  const body = joinedChunks(bytes, start);
  return body === undefined ? atLeast : { status: Number(status), body };
}

/** The content of the chunks from here on, or undefined if the last one is still to come. */
function joinedChunks(bytes: Buffer, start: number): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let at = start; ;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const from = lineEnd + 2;
    const size = Number.parseInt(bytes.toString('latin1', at, lineEnd), 16);
    if (Number.isNaN(size)) throw new Error('The engine sends chunks without a size.');
    // The last chunk is empty, and an empty line follows it.
    if (bytes.length < from + size + 2) return undefined;
    if (size === 0) return Buffer.concat(chunks);
    chunks.push(bytes.subarray(from, from + size));
    at = from + size + 2;
  }
}
