/** The page for people: signs in, reads files, checks and imports them, and takes imports back. */
import { render } from 'preact';
import { App } from './app.tsx';
import { TEXT } from './texts/index.ts';

document.documentElement.lang = TEXT.language;
const place = document.querySelector('#page');
if (place !== null) render(<App />, place);
