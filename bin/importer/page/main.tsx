import { render } from 'preact';
import { App } from './app.tsx';
import { TEXT } from './texts/index.ts';

document.documentElement.lang = TEXT.language;
const place = document.querySelector('#page');
if (place !== null) render(<App />, place);
