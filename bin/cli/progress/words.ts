import type { Meter } from './meter.ts';

const BAR_WIDTH = 24;

export const grouped = (count: number): string => Math.round(count).toLocaleString('en-US');

export function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** `upload      ██████████░░░░  42 %  42,000 of 100,000  3,100 rows/s  19 s left` */
export function barLine(meter: Meter): string {
  const filled = Math.round(meter.share * BAR_WIDTH);
  const bar = '█'.repeat(filled) + '░'.repeat(BAR_WIDTH - filled);
  return `${meter.name.padEnd(11)} ${bar} ${percentage(meter).padStart(5)}  ${figures(meter)}`;
}

export const plainLine = (meter: Meter): string => `${meter.name}: ${percentage(meter)}, ${figures(meter)}`;

const percentage = ({ share }: Meter): string => `${Math.floor(share * 100)} %`;

function figures(meter: Meter): string {
  const { done, total, rate, secondsLeft } = meter;
  const count = `${grouped(done)} of ${grouped(total)}`;
  if (done >= total || rate === 0 || secondsLeft === undefined) return count;
  return `${count}  ${grouped(rate)} rows/s  ${duration(secondsLeft)} left`;
}
