/** Sign-in in a browser (§5.4): the identity provider sends the person back to a port of this machine (RFC 8252). */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { sentBackIn, signInRequestOf, startSignIn, type SignInAttempt } from '../../client/index.ts';
import type { Session, SignInRequest, SignInWays } from '../../client/index.ts';
import { UsageError } from '../errors.ts';
import type { Output } from '../terminal.ts';

const PATIENCE_MS = 5 * 60_000;

interface Browser {
  readonly output: Pick<Output, 'note' | 'interactive'>;
  /** Default: any free one. A provider may demand the port that it knows. */
  readonly port?: number | undefined;
  /** Opens an address. */
  readonly open?: (address: string) => void;
  readonly patienceMs?: number;
}

/** @throws UsageError if the service has no provider, the port is taken, the person is refused, or does not come back */
export async function signInByBrowser(session: Session, browser: Browser): Promise<void> {
  const { provider } = await session.signInWays();
  if (provider === null)
    throw new UsageError('This service has no identity provider: log in without --web, by a password.');
  await session.signIn(await codeFor(provider, browser));
}

/** How the server says what the browser was sent back with. */
interface Back {
  readonly resolve: (request: SignInRequest) => void;
  readonly reject: (reason: UsageError) => void;
}

async function codeFor(
  provider: NonNullable<SignInWays['provider']>,
  { output, port = 0, open = opened, patienceMs = PATIENCE_MS }: Browser,
): Promise<SignInRequest> {
  let attempt: SignInAttempt | undefined;
  let back: Back | undefined;
  const server = createServer((request, response) => {
    if (new URL(request.url ?? '', 'http://127.0.0.1').pathname === DONE) return ended(response);
    if (attempt && back) respond(request, response, attempt, back);
  });
  // The browser is still led to where the sign-in ends.
  const ended = (response: ServerResponse): void =>
    void response.writeHead(200, HEADERS).end('You can close this tab.', () => server.close());
  await listening(server, port);
  const started = await startSignIn(provider, `http://127.0.0.1:${portOf(server)}/`);
  ({ attempt } = started);
  const isBack = new Promise<SignInRequest>((resolve, reject) => {
    back = { resolve, reject };
  });
  const timer = setTimeout(() => {
    server.close();
    back?.reject(new UsageError('Nobody signed in within five minutes.'));
  }, patienceMs);
  output.note(`Sign in here, in a browser on this machine:\n${started.address}`);
  if (output.interactive) open(started.address);
  try {
    return await isBack;
  } finally {
    clearTimeout(timer);
    server.unref();
  }
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function listening(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    throw new UsageError(`Port ${port} of this machine is taken: name another one with --port.`);
  }
}

const HEADERS = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
};
const DONE = '/done';

/** A request with another state is not of this attempt, and does not end it. The code leaves the address bar and the history. */
function respond(
  { url = '', method }: IncomingMessage,
  response: ServerResponse,
  attempt: SignInAttempt,
  back: Back,
): void {
  const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
  const sent = pathname === '/' && method === 'GET' ? sentBackIn(searchParams) : undefined;
  if (sent?.state !== attempt.state) return void response.writeHead(404, HEADERS).end('This is no sign-in.');
  const request = signInRequestOf(attempt, sent);
  response.writeHead(303, { ...HEADERS, location: DONE }).end();
  if (request === undefined) back.reject(new UsageError(refusal(sent.error)));
  else back.resolve(request);
}

const refusal = (error = 'another issuer'): string =>
  `The identity provider refused the sign-in (${error}). Start it again.`;

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Where there is no browser, the address that was printed is enough. */
function opened(address: string): void {
  const [program, ...words] = OPENERS[process.platform] ?? ['xdg-open'];
  spawn(program, [...words, address], { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref();
}
