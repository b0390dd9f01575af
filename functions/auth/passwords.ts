/** Salted scrypt hashes in PHC strings (`$scrypt$ln=15,r=8,p=3$salt$hash`), so that the cost can be raised later. */
import { scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import type { Random } from '../runtime/system.ts';
import { MAX_PASSWORD_BYTES } from '../shared/limits.ts';

/** 2^ln rounds, block size r, parallelism p. */
export interface ScryptCost {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** OWASP's recommendation for 32 MB of memory. */
export const OWASP_COST: ScryptCost = { ln: 15, r: 8, p: 3 };

/** For the clear passwords in the data file of `npm start`: 2,500 hashes in seconds. The first login replaces each. */
export const PROVISIONAL_COST: ScryptCost = { ln: 10, r: 8, p: 1 };

const SALT_BYTES = 16;
const HASH_BYTES = 32;

interface ParsedHash {
  readonly cost: ScryptCost;
  readonly salt: Buffer;
  readonly hash: Buffer;
}

export type PasswordHasher = ReturnType<typeof scryptPasswords>;

/** Hashes with a new salt each time, at this cost; verifies hashes of any cost that is stored. */
export function scryptPasswords(random: Random, cost: ScryptCost = OWASP_COST) {
  const nobody: ParsedHash = { cost, salt: Buffer.alloc(SALT_BYTES), hash: Buffer.alloc(HASH_BYTES) };
  return {
    async hash(password: string): Promise<string> {
      const salt = Buffer.from(random.hex(SALT_BYTES), 'hex');
      return formatPhc({ cost, salt, hash: await derive(password, salt, cost) });
    },
    /** One hash whatever the inputs are, one more if it fails against a cheaper one: the time reveals nothing. */
    async verify(password: string, phc: string | undefined): Promise<boolean> {
      const usable =
        password !== '' && password.isWellFormed() && Buffer.byteLength(password, 'utf8') <= MAX_PASSWORD_BYTES;
      const stored = phc === undefined ? undefined : parsePhc(phc);
      const { salt, cost: storedCost, hash } = stored ?? nobody;
      const derived = await derive(usable ? password : '', salt, storedCost);
      const isRight = timingSafeEqual(derived, hash) && usable && stored !== undefined;
      if (!isRight && workOf(storedCost) < workOf(cost)) await derive('', nobody.salt, cost);
      return isRight;
    },
    needsRehash(phc: string): boolean {
      const stored = parsePhc(phc)?.cost;
      return stored === undefined || stored.ln !== cost.ln || stored.r !== cost.r || stored.p !== cost.p;
    },
  };
}

const PHC = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]{22})\$([A-Za-z0-9+/]{43})$/;

/** N·r·p of the hashes of other systems: from OWASP's least, to a cost of about the time of the current one. */
const LEAST_WORK = 2 ** 17;
const MOST_WORK = 2 ** 20;

/** Whether a value is a PHC string that a login can verify, at a cost that is neither worthless nor stops the service. */
export function isAffordableHash(value: unknown): value is string {
  const cost = typeof value === 'string' ? parsePhc(value)?.cost : undefined;
  if (cost === undefined) return false;
  return workOf(cost) >= LEAST_WORK && workOf(cost) <= MOST_WORK;
}

const workOf = ({ ln, r, p }: ScryptCost): number => 2 ** ln * r * p;

function parsePhc(phc: string): ParsedHash | undefined {
  const parts = PHC.exec(phc);
  if (!parts) return undefined;
  const [, ln, r, p, salt = '', hash = ''] = parts;
  return {
    cost: { ln: Number(ln), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}

function formatPhc({ cost, salt, hash }: ParsedHash): string {
  return `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${unpadded(salt)}$${unpadded(hash)}`;
}

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '');

function derive(password: string, salt: Buffer, cost: ScryptCost): Promise<Buffer> {
  const N = 2 ** cost.ln;
  // Node refuses more than maxmem; scrypt needs 128·N·r bytes and a little more.
  const options: ScryptOptions = { N, r: cost.r, p: cost.p, maxmem: 256 * N * cost.r };
  return new Promise((resolve, reject) => {
    scrypt(password, salt, HASH_BYTES, options, (error, derived) => (error ? reject(error) : resolve(derived)));
  });
}

/** The same, but no hash is computed twice. It keeps passwords in memory: for one load or one message only. */
export function rememberingPasswords({ hash, verify }: Pick<PasswordHasher, 'hash' | 'verify'>) {
  const hashes = new Map<string, Promise<string>>();
  const verdicts = new Map<string, Promise<boolean>>();
  return {
    hash: (password: string): Promise<string> => remembered(hashes, password, () => hash(password)),
    verify(password: string, phc: string): Promise<boolean> {
      return remembered(verdicts, `${phc} ${password}`, () => verify(password, phc));
    },
  };
}

function remembered<T>(known: Map<string, T>, key: string, make: () => T): T {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}
