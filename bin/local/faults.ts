/** `--faults`: the faults of a network and a busy service, on purpose and in an order that a seed repeats. */
import { setTimeout as pause } from 'node:timers/promises';
import { StartupFault } from './lifecycle.ts';

/** Shares of the API's requests; the reference page and the page stay without faults. */
export interface FaultRates {
  /** The longest delay of a request, in milliseconds. Each is delayed by a random part of it. */
  readonly slow: number;
  /** Probability of 429 before the service sees the request, 0 to 1. */
  readonly 429: number;
  /** Probability of 503 before the service sees the request, 0 to 1. */
  readonly 503: number;
  /** Probability that the connection breaks after the service has done its work, 0 to 1. */
  readonly 'lost-reply': number;
  readonly seed: number;
}

const NONE: FaultRates = { slow: 0, 429: 0, 503: 0, 'lost-reply': 0, seed: 1 };
const EXAMPLE = '--faults slow=2s,429=0.1,503=0.05,lost-reply=0.02,seed=7';
const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1000 };

/** @throws StartupFault with a one-line message that names the part and shows an example */
export function parseFaults(text: string): FaultRates {
  const rates = Object.fromEntries(text.split(',').map(parsePart)) as Partial<FaultRates>;
  const all = { ...NONE, ...rates };
  if (all[429] + all[503] > 1)
    throw new StartupFault(`--faults: 429 and 503 must not be more than 1 together, for example ${EXAMPLE}`);
  return all;
}

function parsePart(part: string): [name: string, value: number] {
  const [, name = '', text = ''] = /^([\w-]+)=(.+)$/.exec(part) ?? [];
  const value = valueOf(name, text);
  if (value === undefined)
    throw new StartupFault(`--faults: "${part}" must be ${expectation(name)}, for example ${EXAMPLE}`);
  return [name, value];
}

function valueOf(name: string, text: string): number | undefined {
  if (!Object.hasOwn(NONE, name)) return undefined;
  if (name === 'slow') return durationOf(text);
  if (name === 'seed') return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  return /^(?:0|1|0?\.\d+|[01]\.0*)$/.test(text) ? Number(text) : undefined;
}

function durationOf(text: string): number | undefined {
  const [, amount = '', unit = ''] = /^(\d{1,5}(?:\.\d+)?)(ms|s)$/.exec(text) ?? [];
  return amount === '' ? undefined : Number(amount) * (UNITS[unit] ?? 1);
}

function expectation(name: string): string {
  if (name === 'slow') return 'a time in s or ms';
  if (name === 'seed') return 'a whole number';
  return Object.hasOwn(NONE, name)
    ? 'a probability from 0 to 1'
    : `one of ${Object.keys(NONE).join(', ')} with a value`;
}

/** The fate of one request. */
export interface Fate {
  readonly delayMs: number;
  /** Responded to in place of the service. */
  readonly refusal?: 'throttled' | 'unavailable';
  readonly losesReply: boolean;
}

/** Waits as long as the next request is delayed, and returns its fate. */
export type NextFate = () => Promise<Fate>;

/** The same seed gives the same sequence of fates. */
export function fates({ seed, ...rates }: FaultRates): () => Fate {
  const random = mulberry32(seed);
  return () => {
    const [delay, refusal, loss] = [random(), random(), random()];
    const refused = refusalAt(refusal, rates);
    return {
      delayMs: Math.round(delay * rates.slow),
      ...(refused && { refusal: refused }),
      losesReply: loss < rates['lost-reply'],
    };
  };
}

function refusalAt(value: number, rates: Pick<FaultRates, 429 | 503>): Fate['refusal'] {
  if (value < rates[429]) return 'throttled';
  return value < rates[429] + rates[503] ? 'unavailable' : undefined;
}

/** Decides the fate of each request, in the order of their arrival. */
export function faultsOf(rates: FaultRates): NextFate {
  const next = fates(rates);
  return async () => {
    const fate = next();
    if (fate.delayMs > 0) await pause(fate.delayMs);
    return fate;
  };
}

/** A small generator of numbers from 0 to 1, the same for the same seed. */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
