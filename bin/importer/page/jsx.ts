/** What the build makes of elements: calls that have their children in a row, which weigh less than a property of them. */
export { Fragment, h } from 'preact';
