/** The page for people: signs in, reads files, checks and imports them, and takes imports back. */
import { render } from 'preact';
import { App } from './app.tsx';

const place = document.querySelector('#page');
if (place !== null) render(<App />, place);
