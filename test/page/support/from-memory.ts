/** Exports of two systems as they were remembered, not as their documents have them. */
const LITMOS = [
  'User Id,First Name,Last Name,Username,Email,Course Name,Percentage Complete,Date Completed,Expires On,Result',
  'k9Xw2,Ben,Castillo,bcastillo,ben.castillo@acme.test,Information Security Essentials,100.00,2023-04-18 14:05:33,,92.00',
  'p0Lm3,Chiara,Romano,cromano,chiara.romano@acme.test,Data Protection in Practice,40.00,,,',
  'q1Zr8,Grace,Mensah,gmensah,grace.mensah@acme.test,Welcome to Acme,100.00,1900-01-01 00:00:00,,',
  'r7Tt1,Hana,Suzuki,hsuzuki,hana.suzuki@acme.tset,Welcome to Acme,100.00,2022-11-02 08:00:01,2024-11-02,',
  's5Qq0,Lena,Bauer,lbauer,lena.bauer@acme.test,Welcome to Acme,0.00,,,',
].join('\n');
const enrolment = (username: string, course_name: string, more: object) => ({ username, course_name, ...more });
const DOCEBO = JSON.stringify({
  data: {
    items: [
      enrolment('ben.castillo@acme.test', 'Welcome to Acme', {
        status: 'completed',
        enrollment_date: '2023-01-05 09:12:44',
        enrollment_completion_date: '2023-02-11 10:00:00',
        enrollment_score: null,
      }),
      enrolment('chiara.romano@acme.test', 'Welcome to Acme', {
        status: 'in_progress',
        enrollment_date: '2023-01-06 09:12:44',
        enrollment_completion_date: null,
        enrollment_score: null,
      }),
      enrolment('nobody@acme.test', 'Data Protection in Practice', {
        status: 'completed',
        enrollment_date: '2023-01-07 09:12:44',
        enrollment_completion_date: '2023-03-01 16:45:00',
        enrollment_score: 88,
      }),
    ],
    has_more_data: false,
  },
});

export const FROM_MEMORY = [
  { name: 'litmos.csv', text: LITMOS },
  { name: 'docebo.json', text: DOCEBO },
] as const;
