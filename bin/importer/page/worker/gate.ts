import { TakenBack } from '../../engine/run/import-run.ts';
import type { ImportService } from '../../engine/run/send.ts';

/** Holds back imports that are not sent yet. */
export class Gate {
  #isOpen = true;
  #isCancelled = false;
  #waiting: (() => void)[] = [];

  open(): void {
    this.#isOpen = true;
    this.#isCancelled = false;
    for (const resume of this.#waiting.splice(0)) resume();
  }

  close(): void {
    this.#isOpen = false;
  }

  /** Refuses every further import. */
  cancel(): void {
    this.open();
    this.#isCancelled = true;
  }

  /** The service, whose imports start only while the gate is open. */
  service(service: ImportService): ImportService {
    return {
      startImport: async (body, key) => {
        while (!this.#isOpen) await new Promise<void>((resolve) => this.#waiting.push(resolve));
        if (this.#isCancelled) throw new TakenBack('The import was cancelled.');
        return service.startImport(body, key);
      },
      getImport: (import_id) => service.getImport(import_id),
      waitForImport: (import_id, options) => service.waitForImport(import_id, options),
    };
  }
}
