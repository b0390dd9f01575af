// @ts-check
/**
 * `node guard.mjs <lock file, or empty> <command> <arguments>`: a process between the stack and its engine, on any system. It
 * keeps two guarantees:
 *
 * - One engine per data directory. It holds a lock that the system releases when it ends, however it ends, and it ends after
 *   its engine. The engine of a stack that was just killed gets three seconds to go.
 * - The engine does not outlive the stack. Standard input is a pipe from the stack, which ends when the stack does,
 *   on every signal. To stop the engine, the stack closes it.
 *
 * The files of the engine are readable by their owner only. JavaScript, because what strips types takes 18 MB.
 */
import { spawn } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';

/** The line by which the stack knows that another engine has the data directory. */
const LOCKED = 'the data directory is locked';
const LOCK_WAIT_MS = 3000;
const TERMINATION_MS = 1500;

const [lock = '', command = '', ...options] = process.argv.slice(2);
process.umask(0o077);
if (lock !== '') holdLock(lock);

// The engine reads the same kind of pipe: one in a container ends with it.
const engine = spawn(command, options, { stdio: ['pipe', 'ignore', 'inherit'], windowsHide: true });
engine.stdin.on('error', () => undefined);
engine.once('error', ({ message }) => {
  console.error(message);
  process.exit(1);
});
engine.once('exit', (code) => process.exit(code ?? 1));
process.stdin.once('close', () => {
  engine.stdin.end();
  engine.kill();
  setTimeout(() => engine.kill('SIGKILL'), TERMINATION_MS);
});
process.stdin.resume();

/**
 * An exclusive transaction on a database of its own: the one lock that every system here has, and releases by itself.
 *
 * @param {string} file
 */
function holdLock(file) {
  try {
    new DatabaseSync(file, { timeout: LOCK_WAIT_MS }).exec('BEGIN EXCLUSIVE');
  } catch (error) {
    const { errcode, message } = /** @type {Error & { errcode?: number }} */ (error);
    console.error(errcode === 5 ? LOCKED : message);
    process.exit(1);
  }
}
