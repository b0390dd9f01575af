/** What `--help` shows of each command, without the name of the program. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  login: ['login', 'login --url https://history.example --email ann@acme.example --profile staging'],
  logout: ['logout'],
  catalog: ['catalog --search "data protection" --classes'],
  'check-users': ['check-users history.csv --column "E-mail address"'],
  'map-users': ['map-users people.csv --dry-run', 'map-users people.csv --id-column Number --email-column Mail'],
  'map-courses': ['map-courses history.courses.csv'],
  'match-courses': ['match-courses history.xlsx --sheet Export'],
  'init-mapping': [
    'init-mapping history.csv --time-zone Europe/Madrid',
    'init-mapping report.csv --system udemy --match-courses',
  ],
  import: [
    'import history.csv --dry-run',
    'import history.csv --run spring',
    "import 'exports/*.csv' --mapping all.mapping.json --set content.platform_course_id=2002",
  ],
  reconcile: ['reconcile history.csv --out signed.html'],
  imports: ['imports', 'imports spring'],
  cancel: ['cancel spring'],
  revert: ['revert spring --dry-run', 'revert spring'],
  report: ['report --run spring --rejected rejected.csv'],
  completion: ['completion bash'],
};
