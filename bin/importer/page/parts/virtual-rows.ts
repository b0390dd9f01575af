/** Which rows of a long table are in the document: those in view, some beyond them, and the one with the focus. */
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

/** Rows before and after those in view. */
const BEYOND = 12;
/** The height of a row until the first ones are drawn. */
const EXPECTED_PX = 40;

/** The heights of rows, one below the other, in pixels. One that was not drawn yet is as high as the first ones are on average. */
class Heights {
  readonly #heights: Float64Array;
  #isMeasured = false;

  constructor(rows: number) {
    this.#heights = new Float64Array(rows).fill(EXPECTED_PX);
  }

  /**
   * @param measured by row
   * @returns by how much the rows above `first` are higher than they were known to be
   */
  set(measured: ReadonlyMap<number, number>, first: number): number {
    if (!this.#isMeasured && measured.size > 0)
      this.#heights.fill([...measured.values()].reduce((sum, height) => sum + height, 0) / measured.size);
    this.#isMeasured ||= measured.size > 0;
    let above = 0;
    for (const [row, height] of measured) {
      if (row < first) above += height - (this.#heights[row] ?? 0);
      this.#heights[row] = height;
    }
    return above;
  }

  /** The height of the rows from `from` to before `to`. */
  between(from: number, to: number): number {
    let sum = 0;
    for (let row = from; row < to; row += 1) sum += this.#heights[row] ?? 0;
    return sum;
  }

  /** The row at so many pixels below the top of the first. */
  rowAt(top: number): number {
    let row = 0;
    for (let end = this.#heights[0] ?? 0; end <= top && row < this.#heights.length - 1; end += this.#heights[row] ?? 0)
      row += 1;
    return row;
  }
}

/**
 * Rows of any height, measured once they are drawn. Measured rows above those in view do not move these. All rows are drawn to be
 * printed.
 *
 * @param frame scrolls; its rows have their number as `data-row`
 * @returns the rows to draw, the height of those between, and what to call with the row that has the focus, which stays drawn
 */
export function useVirtualRows(rows: number, frame: RefObject<HTMLElement | null>) {
  const heights = useMemo(() => new Heights(rows), [rows]);
  const [[first, last], setView] = useState<readonly [first: number, last: number]>([0, 0]);
  const [focused, onFocus] = useState<number | undefined>();
  const [isPrinted, setPrinted] = useState(false);
  const place = useRef({ first: 0, isAtEnd: false });

  const look = (): void => {
    const { scrollTop = 0, clientHeight = 0, scrollHeight = 0 } = frame.current ?? {};
    const now = [heights.rowAt(scrollTop), heights.rowAt(scrollTop + clientHeight)] as const;
    place.current = { first: now[0], isAtEnd: scrollTop > 0 && scrollTop + clientHeight >= scrollHeight - 1 };
    setView((view) => (view[0] === now[0] && view[1] === now[1] ? view : now));
  };
  useLayoutEffect(() => {
    const { current: element } = frame;
    if (element === null || isPrinted) return;
    const rowsDrawn = [...element.querySelectorAll<HTMLElement>('[data-row]')];
    // A row in a closed part of the page has no height.
    const measured = rowsDrawn
      .map((row): [number, number] => [Number(row.dataset['row']), row.getBoundingClientRect().height])
      .filter(([, height]) => height > 0);
    const above = heights.set(new Map(measured), place.current.first);
    if (place.current.isAtEnd) element.scrollTop = element.scrollHeight;
    else if (above !== 0) element.scrollTop += above;
    look();
  });
  useEffect(() => {
    const { current: element } = frame;
    if (element === null) return undefined;
    const size = new ResizeObserver(look);
    const print = (): void => setPrinted(true);
    const endPrint = (): void => setPrinted(false);
    size.observe(element);
    element.addEventListener('scroll', look);
    addEventListener('beforeprint', print);
    addEventListener('afterprint', endPrint);
    return () => {
      size.disconnect();
      element.removeEventListener('scroll', look);
      removeEventListener('beforeprint', print);
      removeEventListener('afterprint', endPrint);
    };
  }, [heights]);

  const from = isPrinted ? 0 : Math.max(0, first - BEYOND);
  const to = isPrinted ? rows : Math.min(rows, last + 1 + BEYOND);
  const drawn = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
  if (focused !== undefined && focused < from) drawn.unshift(focused);
  if (focused !== undefined && focused >= to && focused < rows) drawn.push(focused);
  return { drawn, gap: (start: number, end: number) => heights.between(start, end), onFocus };
}

/** To the first or the last row at once: a browser would glide there, and measure thousands of rows on its way. */
export function jump({ key, target, currentTarget }: KeyboardEvent): void {
  if (target !== currentTarget || !(target instanceof Element)) return;
  if (key === 'End') target.scrollTop = target.scrollHeight;
  if (key === 'Home') target.scrollTop = 0;
}
