/** A standard queue with message groups: it delivers from the group with the fewest messages under way, in the group's order. */
import type { Message, WaitingLine } from '../simulation/queue.ts';

export function fairToGroups(): WaitingLine {
  const waiting = new Map<string, { readonly messages: Message[]; first: number }>();
  const underWay = new Map<string, number>();
  let size = 0;

  const next = (): Message => {
    let [best, fewest] = ['', Number.POSITIVE_INFINITY];
    for (const group of waiting.keys()) {
      const count = underWay.get(group) ?? 0;
      if (count < fewest) [best, fewest] = [group, count];
    }
    const line = waiting.get(best) as { messages: Message[]; first: number };
    const message = line.messages[line.first] as Message;
    line.first += 1;
    if (line.first === line.messages.length) waiting.delete(best);
    underWay.set(best, fewest + 1);
    size -= 1;
    return message;
  };

  return {
    get size() {
      return size;
    },
    add(message) {
      const line = waiting.get(message.group);
      if (line === undefined) waiting.set(message.group, { messages: [message], first: 0 });
      else line.messages.push(message);
      size += 1;
    },
    take: (most) => Array.from({ length: Math.min(most, size) }, next),
    back: ({ group }) => void underWay.set(group, (underWay.get(group) ?? 1) - 1),
    clear() {
      waiting.clear();
      size = 0;
    },
  };
}
