/**
 * The services that the deployed handlers of this process run on. A handler builds its chain once, so what it is given
 * stands for whatever world is current at the time of each call.
 */
import type { Telemetry } from '../../../functions/runtime/telemetry.ts';
import type { Services } from '../../../functions/services/services.ts';

let current: Services | undefined;

export function useServices(services: Services): void {
  current = services;
}

function now(): Services {
  if (current === undefined) throw new Error('no world is set up');
  return current;
}

const telemetry: Telemetry = {
  count: (...args) => now().telemetry.count(...args),
  time: (...args) => now().telemetry.time(...args),
  info: (...args) => now().telemetry.info(...args),
  error: (...args) => now().telemetry.error(...args),
  flush: () => now().telemetry.flush(),
};

export const currentServices: Services = {
  clock: { nowMs: () => now().clock.nowMs() },
  random: { hex: (bytes) => now().random.hex(bytes) },
  telemetry,
  get stores() {
    return now().stores;
  },
  get queue() {
    return now().queue;
  },
  get parties() {
    return now().parties;
  },
  get signer() {
    return now().signer;
  },
  get verifier() {
    return now().verifier;
  },
  get passwords() {
    return now().passwords;
  },
};
