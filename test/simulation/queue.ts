/** A standard SQS queue and its Lambda event source: at least once, in any order, with a dead-letter queue. */
import type { ChangeMessageVisibilityCommand, SendMessageBatchCommand, SendMessageCommand } from '@aws-sdk/client-sqs';
import type { SQSEvent } from 'aws-lambda';
import type { Dice } from '../kit/dice.ts';
import { sqsEvent } from '../kit/sqs-event.ts';
import type { Call } from './invocation.ts';
import { EPOCH_MS, type Simulation } from './simulation.ts';

export interface Message {
  readonly id: number;
  readonly body: string;
  readonly sentMs: number;
  readonly attributes: SendMessageCommand['input']['MessageAttributes'];
  receives: number;
  gone: boolean;
}

export interface WaitingLine {
  readonly size: number;
  add(message: Message): void;
  /** Takes up to so many messages, at least one. */
  take(most: number): Message[];
  clear(): void;
}

export function anyOrder(dice: Dice): WaitingLine {
  const waiting: Message[] = [];
  return {
    get size() {
      return waiting.length;
    },
    add: (message) => void waiting.push(message),
    take(most) {
      const batch = dice.shuffled(waiting).slice(0, dice.between(1, most));
      for (const message of batch) waiting.splice(waiting.indexOf(message), 1);
      return batch;
    },
    clear: () => void (waiting.length = 0),
  };
}

export interface QueueOptions {
  /** Runs the consumer on some messages. `failed` has all of them if it died. */
  readonly consume: (event: SQSEvent, ended: (failed: ReadonlySet<string>) => void) => void;
  readonly batchSize: number;
  readonly concurrency: number;
  readonly waiting: WaitingLine;
  readonly backlogMs?: () => number;
  readonly outageLeftMs?: () => number;
  /** Number of deliveries after which all are lost until `losesUntilMs`. */
  readonly delivers?: number | undefined;
  readonly losesUntilMs?: number | undefined;
  readonly onSend?: (body: string) => void;
  /** Default: those of the chunk queue. */
  readonly visibilityMs?: number;
  readonly maxReceives?: number;
}

interface InFlight {
  readonly message: Message;
  /** Whether its deletion is lost. */
  readonly kept: boolean;
  visibleAtMs: number;
  isVisible: boolean;
}

const VISIBILITY_MS = 120_000;
const MAX_RECEIVES = 5;
const DELIVERY = { who: 'queue', writes: false, eventual: false, partial: false, parts: 1, delivery: true } as const;

export class SimulatedQueue {
  sent = 0;
  deadLetters = 0;
  readonly #living = new Set<Message>();
  readonly #inFlight = new Map<number, InFlight>();
  #consumers = 0;
  #deliveries = 0;
  #messages = 0;
  readonly #simulation: Simulation;
  readonly #options: QueueOptions;

  constructor(simulation: Simulation, options: QueueOptions) {
    this.#simulation = simulation;
    this.#options = options;
  }

  sending(command: SendMessageBatchCommand): Call {
    const entries = command.input.Entries ?? [];
    return {
      name: `SendMessageBatch ${entries.length}`,
      writes: true,
      eventual: false,
      partial: true,
      toQueue: true,
      parts: entries.map(({ MessageBody = '', DelaySeconds = 0 }) => () => {
        this.arrive(MessageBody, DelaySeconds * 1_000);
        return {};
      }),
      response: (results) => ({
        Failed: entries.flatMap(({ Id }, position) =>
          results[position] === undefined ? [{ Id, Code: 'ThrottlingException', SenderFault: false }] : [],
        ),
      }),
    };
  }

  sendingOne({ input: { MessageBody = '', DelaySeconds = 0, MessageAttributes } }: SendMessageCommand): Call {
    return {
      name: 'SendMessage',
      writes: true,
      eventual: false,
      partial: false,
      toQueue: true,
      parts: [
        () => {
          this.arrive(MessageBody, DelaySeconds * 1_000, MessageAttributes);
          return {};
        },
      ],
      response: () => ({}),
    };
  }

  changing({ input }: ChangeMessageVisibilityCommand): Call {
    const seconds = input.VisibilityTimeout ?? 0;
    return {
      name: 'ChangeMessageVisibility',
      writes: true,
      eventual: false,
      partial: false,
      toQueue: true,
      parts: [
        () => {
          const inFlight = this.#inFlight.get(Number(input.ReceiptHandle));
          if (inFlight !== undefined) this.#hide(inFlight, seconds * 1_000);
          return {};
        },
      ],
      response: () => ({}),
    };
  }

  loseEverything(): void {
    for (const message of this.#living) message.gone = true;
    this.#living.clear();
    this.#options.waiting.clear();
  }

  arrive(body: string, delayMs: number, attributes?: Message['attributes']): void {
    this.sent += 1;
    this.#options.onSend?.(body);
    const id = (this.#messages += 1);
    const message: Message = { id, body, attributes, sentMs: this.#simulation.nowMs, receives: 0, gone: false };
    this.#wait(message, delayMs + (this.#options.backlogMs?.() ?? 0) + this.#simulation.dice.between(5, 300));
  }

  #wait(message: Message, ms: number): void {
    this.#living.add(message);
    this.#simulation.after(ms, () => {
      if (message.gone) return;
      if (message.receives >= (this.#options.maxReceives ?? MAX_RECEIVES)) {
        this.deadLetters += 1;
        return;
      }
      this.#options.waiting.add(message);
      // A short wait lets others join the batch.
      this.#simulation.after(this.#simulation.dice.between(0, 60), () => this.#poll());
    });
  }

  #poll(): void {
    const { waiting, batchSize, concurrency, outageLeftMs = () => 0 } = this.#options;
    const outageMs = outageLeftMs();
    if (outageMs > 0) return this.#simulation.after(outageMs, () => this.#poll());
    if (waiting.size === 0 || this.#consumers >= concurrency) return;
    const delivered = waiting.take(batchSize).flatMap((message) => this.#deliver(message));
    if (delivered.length > 0) this.#consume(delivered);
    if (waiting.size > 0) this.#simulation.after(1, () => this.#poll());
  }

  #isLost(): boolean {
    const { delivers = Infinity, losesUntilMs = Infinity } = this.#options;
    return this.#deliveries > delivers && this.#simulation.nowMs - EPOCH_MS < losesUntilMs;
  }

  #deliver(message: Message): InFlight[] {
    this.#deliveries += 1;
    if (this.#isLost() && !this.#simulation.quiet) return [];
    const fault = this.#simulation.step({ ...DELIVERY, body: message.body }, `queue delivers ${message.body}`);
    if (fault?.kind === 'message to dead letters') {
      this.deadLetters += 1;
      return [];
    }
    if (fault?.kind === 'message delayed') {
      this.#wait(message, fault.amount);
      return [];
    }
    if (fault?.kind === 'message duplicated') {
      const copy: Message = { ...message, id: (this.#messages += 1) };
      this.#wait(copy, this.#simulation.dice.between(1, 400));
    }
    message.receives += 1;
    const kept = fault?.kind === 'message not deleted';
    const inFlight = { message, kept, visibleAtMs: 0, isVisible: false };
    this.#inFlight.set(message.id, inFlight);
    return [inFlight];
  }

  /** Makes it visible again after this time, unless it is deleted or its visibility changes again. */
  #hide(inFlight: InFlight, ms: number): void {
    const visibleAtMs = this.#simulation.nowMs + ms;
    inFlight.visibleAtMs = visibleAtMs;
    this.#simulation.after(ms, () => {
      if (inFlight.isVisible || inFlight.message.gone || inFlight.visibleAtMs !== visibleAtMs) return;
      inFlight.isVisible = true;
      this.#wait(inFlight.message, 0);
    });
  }

  #consume(delivered: readonly InFlight[]): void {
    this.#consumers += 1;
    const { dice } = this.#simulation;
    let isOver = false;
    const over = () => {
      if (isOver) return;
      isOver = true;
      this.#consumers -= 1;
      this.#simulation.after(1, () => this.#poll());
    };
    const { visibilityMs = VISIBILITY_MS } = this.#options;
    for (const inFlight of delivered) this.#hide(inFlight, visibilityMs);
    this.#simulation.after(visibilityMs, over);
    const ended = (failed: ReadonlySet<string>) => {
      for (const { message, kept, isVisible } of delivered) {
        // An old receipt may or may not delete a message that is visible again.
        if (!kept && !failed.has(String(message.id)) && (!isVisible || dice.chance(0.5))) message.gone = true;
      }
      over();
    };
    this.#options.consume(eventOf(delivered.map(({ message }) => message)), ended);
  }
}

function eventOf(messages: readonly Message[]): SQSEvent {
  return sqsEvent(
    messages.map(({ id, body, receives, attributes, sentMs }) => ({
      messageId: String(id),
      body,
      receives,
      sentMs,
      ...(attributes && { attributes }),
    })),
  );
}
