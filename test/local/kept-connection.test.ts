/** One connection to a server that sends the bytes of each test. Costs milliseconds. */
import { once } from 'node:events';
import { type AddressInfo, type Server, type Socket, createServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { KeptConnection } from '../../bin/local/kept-connection.ts';

const HEAD = 'POST / HTTP/1.1\r\nContent-Length: 4\r\n\r\n';
const CALL = Buffer.from('call');

const servers: Server[] = [];
const connections: KeptConnection[] = [];
afterEach(() => {
  for (const connection of connections.splice(0)) connection.close();
  for (const server of servers.splice(0)) server.close();
});

/** A connection to a server that does this on each call. */
async function connected(onCall: (socket: Socket, call: string) => unknown): Promise<KeptConnection> {
  const server = createServer((socket) => {
    let read = '';
    socket
      .on('error', () => undefined)
      .on('data', (part) => {
        read += part.toString();
        if (!read.endsWith('call')) return;
        onCall(socket, read);
        read = '';
      });
  }).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  const connection = new KeptConnection('127.0.0.1', (server.address() as AddressInfo).port);
  connections.push(connection);
  return connection;
}

const LENGTH = 'HTTP/1.1 400 Bad Request\r\nServer: x\r\nContent-Length: 7\r\n\r\n{"a":1}';
const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\n{"a"\r\n3;x=y\r\n:1}\r\n0\r\n\r\n';

describe('an answer', () => {
  it.each([
    ['with its length', LENGTH, 400],
    ['in chunks', CHUNKED, 200],
  ])('%s is read, however its bytes arrive', async (_, answer, status) => {
    for (const size of [1, 2, 7, 30, answer.length]) {
      const connection = await connected(async (socket) => {
        for (let at = 0; at < answer.length; at += size) {
          socket.write(answer.slice(at, at + size));
          await new Promise((resolve) => setImmediate(resolve));
        }
      });
      const { body, ...rest } = await connection.send(HEAD, CALL);
      expect({ ...rest, body: body.toString() }).toEqual({ status, body: '{"a":1}' });
    }
  });

  it('of each call comes over the same connection', async () => {
    const calls: string[] = [];
    const connection = await connected((socket, call) => {
      calls.push(call);
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\n${calls.length}`);
    });
    const bodies = [await connection.send(HEAD, CALL), await connection.send(HEAD, CALL)].map(({ body }) => `${body}`);
    expect([bodies, calls, connection.isClosed]).toEqual([['1', '2'], [`${HEAD}call`, `${HEAD}call`], false]);
  });

  it.each([
    ['of another protocol', 'SSH-2.0-x\r\n\r\n'],
    ['without a length', 'HTTP/1.1 200 OK\r\n\r\n{}'],
    ['with a chunk that has no size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n'],
  ])('%s fails the call and ends the connection', async (_, answer) => {
    const connection = await connected((socket) => socket.write(answer));
    await expect(connection.send(HEAD, CALL)).rejects.toThrow('The engine');
    expect(connection.isClosed).toBe(true);
  });
});

describe('a call', () => {
  it('fails if the server leaves before the whole answer', async () => {
    const connection = await connected((socket) => socket.end(LENGTH.slice(0, -1)));
    await expect(connection.send(HEAD, CALL)).rejects.toThrow('The engine closed the connection.');
    expect(connection.isClosed).toBe(true);
  });

  it('fails if the connection is closed by its caller', async () => {
    const connection = await connected(() => connection.close());
    await expect(connection.send(HEAD, CALL)).rejects.toThrow('The engine closed the connection.');
  });
});
