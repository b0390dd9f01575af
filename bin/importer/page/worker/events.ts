import type { Answer, PageEvent } from './protocol.ts';

export const emit = (event: PageEvent): void => send({ event });

export const send = (answer: Answer): void => self.postMessage(answer);
