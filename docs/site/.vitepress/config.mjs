import { defineConfig } from 'vitepress';
import llmstxt from 'vitepress-plugin-llms';

const page = (text, link) => ({ text, link });

/** Everything is in the site itself: fonts of the system, search in the browser, no analytics. A dead link fails the build. */
export default defineConfig({
  title: 'Course Progress Migration',
  description: 'Moves a company’s whole course history from an old learning system onto the platform.',
  srcDir: '.source',
  outDir: 'dist',
  cleanUrls: false,
  vite: { plugins: [llmstxt()] },
  // A page of the local server is no page of the site.
  ignoreDeadLinks: 'localhostLinks',
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: [
      {
        text: 'Use it',
        items: [
          page('Overview', '/'),
          page('Tutorial', '/tutorial'),
          page('The command', '/cli'),
          page('Integrate', '/integrate'),
          page('Events', '/events'),
          page('API reference', '/reference'),
          page('Versions', '/versioning'),
          page('Errors', '/errors'),
          page('Limits', '/limits'),
          page('The interface', '/interface'),
          page('Data file', '/data-file'),
        ],
      },
      {
        text: 'Run it',
        items: [
          page('Deploy', '/deploy'),
          page('Many companies', '/fleet'),
          page('Operate', '/operate'),
          page('Runbook', '/runbook'),
          page('Costs', '/costs'),
          page('Security', '/security'),
        ],
      },
      {
        text: 'Change it',
        items: [
          page('Architecture', '/architecture'),
          page('Specification', '/specification'),
          page('Contribute', '/contribute'),
          page('Changes', '/changelog'),
        ],
      },
    ],
  },
});
