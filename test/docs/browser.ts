import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** Usual paths of Chromium; `CHROMIUM` names another. */
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser sends no requests of its own, and resolves no name but this machine's. */
const QUIET = [
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** A real headless Chromium with a new, empty profile. */
export async function startBrowser(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM'] ?? PLACES.find((place) => existsSync(place));
  if (executablePath === undefined) {
    throw new Error('no Chromium here: install it (Debian: apt-get install -y chromium), or name one in CHROMIUM');
  }
  return chromium.launch({ executablePath, headless: true, args: QUIET });
}
