/** Exports as public descriptions of learning systems have them, with the people of the sample company. */
export interface Export {
  readonly name: string;
  readonly text: string;
  /** With a byte-order mark. */
  readonly isUtf16?: boolean;
}

const [BEN, CHIARA, HANA] = ['ben.castillo', 'chiara.romano', 'hana.suzuki'].map((name) => `${name}@acme.test`);
const lines = (...some: readonly string[]): string => `${some.join('\n')}\n`;

export const EXPORTS: readonly Export[] = [
  {
    name: 'the grade book of Blackboard, whose total is asked about',
    text: lines(
      '"Last Name","First Name","Username","Student ID","Last Access","Availability","Weighted Total [Total Pts: up to 100 Percentage] |118801","Total [Total Pts: up to 250 Score] |118802","Quiz 1 [Total Pts: 100 Score] |118803"',
      '"Castillo","Ben","bcastillo","S100","2024-01-20 10:11:12","Yes","87.5","218.75","90"',
      '"Suzuki","Hana","hsuzuki","S102","","Yes","","",""',
    ),
  },
  {
    name: 'the grade book of Blackboard in UTF-16 with tabs, whose points are those of the whole course',
    text: lines(
      'Last Name\tFirst Name\tUsername\tStudent ID\tTotal [Total Pts: up to 250 Score] |5577\tModule 1 [Total Pts: 50 Score] |5578',
      'Castillo\tBen\tbcastillo\tS100\t125\t50',
    ),
    isUtf16: true,
  },
  {
    name: 'the grade export of Brightspace, whose final grade is asked about',
    text: lines(
      'OrgDefinedId,Username,Last Name,First Name,Email,Quiz 1 Points Grade <Numeric MaxPoints:10 Weight:5>,Essay Points Grade <Numeric MaxPoints:50>,Calculated Final Grade Numerator,Calculated Final Grade Denominator,End-of-Line Indicator',
      `#1001,#bcastillo,Castillo,Ben,${BEN},8,40,43.5,50,#`,
      `#1003,#hsuzuki,Suzuki,Hana,${HANA},,,,,#`,
    ),
  },
  {
    name: 'the progress report of Brightspace',
    text: lines(
      'Course Offering Name,Course Offering Code,User Name,OrgDefinedId,Email,Role,Enrollment Date,Last Visited,Completed Content,Total Content,Progress %,Completion Date',
      `Security,SEC-1,bcastillo,1001,${BEN},Learner,2024-01-02,2024-01-20,5,10,50,`,
      `Security,SEC-1,cromano,1002,${CHIARA},Learner,2024-01-02,2024-01-22,10,10,100,2024-01-22`,
    ),
  },
  {
    name: 'a matrix of words with their days in brackets',
    text: lines(
      'Name,Email,Fire Safety,GDPR',
      `Ben,${BEN},Completed (2024-01-02),Not Started`,
      `Chiara,${CHIARA},Completed (2023-05-06),In Progress`,
    ),
  },
  {
    name: 'a course in each header, with its status and its day',
    text: lines(
      'Name,Email,Fire Safety Status,Fire Safety Completed On,GDPR Status,GDPR Completed On',
      `Ben,${BEN},Completed,2024-01-02,Not Started,`,
      `Chiara,${CHIARA},In Progress,,Completed,2023-11-30`,
    ),
  },
  {
    name: 'two enrolments a row, with the titles of the courses in cells',
    text: lines(
      'Email,Course A,Course A Status,Course B,Course B Status',
      `${BEN},SEC-1,Completed,DAT-2,In Progress`,
      `${CHIARA},SEC-1,Not Started,DAT-2,Completed`,
    ),
  },
  {
    name: 'a column for each learner',
    text: lines(`Course,${BEN},${CHIARA}`, 'SEC-1,Completed,In Progress', 'DAT-2,Not Started,Completed'),
  },
  {
    name: 'days of a matrix without the titles of the catalog, which may be of classes',
    text: lines(
      'Name,Email,Fire Safety,GDPR,First Aid',
      `Ben,${BEN},2024-01-02,2024-02-03,`,
      `Chiara,${CHIARA},,2023-11-30,2022-05-06`,
      `Hana,${HANA},,,`,
    ),
  },
  {
    name: 'an outline with a report title, subtotals and a grand total',
    text: lines(
      'Learning Activity Report,,,,',
      'Learner,Email,Status,Score,Completion Date',
      'Course: Security,,,,',
      `Ben,${BEN},Completed,90,2024-01-02`,
      'Subtotal: 1 learner,,,45,',
      'Course: Data,,,,',
      `Ben,${BEN},Not Started,,`,
      'Grand Total,2,,,',
    ),
  },
  {
    name: 'days with the zone of a web service, as Workday writes them',
    text: lines(
      'Learning Enrollment Report,,,',
      'Worker ID,Email - Primary Work,Learning Content,Enrollment Status,Completion Status,Enrolled Date,Completion Date',
      `21001,${BEN},Security,Enrolled,Completed,2024-01-01-08:00,2024-01-02-08:00`,
      `21002,${CHIARA},Security,Dropped,Not Started,2024-01-01-08:00,`,
    ),
  },
  {
    name: 'a percentage of points beside one of the course, as LearnUpon has them',
    text: lines(
      'email,course_id,course_name,status,percentage,percentage_complete,date_started,date_completed',
      `${BEN},901,Security,passed,92,100,2024-01-02T10:00:00Z,2024-01-03T10:00:00Z`,
      `${CHIARA},901,Security,in_progress,0,40,2024-01-02T10:00:00Z,`,
    ),
  },
  {
    name: 'the sign of a percentage first, as Turkish writes it',
    text: lines(
      'E-posta;Eğitim Adı;Durum;İlerleme;Tamamlanma Tarihi',
      `${BEN};Güvenlik;Tamamlandı;%100;15.01.2024`,
      `${CHIARA};Güvenlik;Devam ediyor;%40;`,
    ),
  },
  {
    name: 'the day of a status, which is that of the completion where the course is completed',
    text: lines(
      'Email,Course,Current Status,Status Date',
      `${BEN},SEC-1,Completed,2024-01-15`,
      `${CHIARA},SEC-1,In Progress,2024-01-16`,
    ),
  },
];

export function bytesOf({ text, isUtf16 }: Export): Buffer {
  return isUtf16 === true ? Buffer.from(`\u{feff}${text}`, 'utf16le') : Buffer.from(text);
}
