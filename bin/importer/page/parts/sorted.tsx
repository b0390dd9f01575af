/** Each row of the files once, by where it is or will be: a bar, and its numbers, which add up to all rows. */
import { TEXT } from '../texts/index.ts';
import type { Report } from '../worker/run.ts';

const PLACES = ['written', 'unchanged', 'repeated', 'left_out', 'archived', 'failed'] as const;

const text = TEXT.sorted;

/** What is written looks like what is completed in Review. */
const COLOURS: Partial<Record<(typeof PLACES)[number], string>> = { written: 'completed', left_out: 'leave_out' };

const colourOf = (place: (typeof PLACES)[number]) => ({ color: `var(--${COLOURS[place] ?? place})` });

export const SortedRows = ({ report: { sorted } }: { readonly report: Report }) => (
  <>
    <div class="bar" aria-hidden="true">
      {PLACES.filter((place) => sorted[place] > 0).map((place) => (
        <span style={{ ...colourOf(place), flex: `${sorted[place]} 0 3px` }} />
      ))}
    </div>
    <table class="sorted">
      <caption class="unseen">{text.title}</caption>
      <tbody>
        {PLACES.map((place) => (
          <tr class={sorted[place] === 0 ? 'none' : undefined}>
            <th scope="row">
              <span class="dot" style={colourOf(place)} aria-hidden="true" />
              {text[place]}
            </th>
            <td>{TEXT.n(sorted[place])}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </>
);
