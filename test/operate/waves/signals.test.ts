/** The alarms of a wave, out of all that ring in the account. Costs milliseconds. */
import { expect, it } from 'vitest';
import { alarmsOf } from '../../../bin/operate/waves/signals.ts';

const [ACME, GLOBEX] = ['course-progress-migration-acme-production', 'course-progress-migration-globex-production'];
const ACCOUNT = 'course-progress-migration-account';
const QUEUE = 'course-progress-migration-g-ChunksDeadLetters-X1';

/** The account: alarms that ring, the contributors of each, and the resources of each stack. */
const listed: string[] = [];
const cli = async (_: string, [, command, ...args]: readonly string[]): Promise<unknown> => {
  const value = String(args.at(-1));
  if (command === 'describe-alarms')
    return {
      MetricAlarms: [
        `${ACME}-ServerErrors`,
        `${ACME.replace('acme', 'acme-labs')}-ServerErrors`,
        `${ACCOUNT}-ServerErrors`,
        `${ACCOUNT}-MessagesWait`,
        `${ACCOUNT}-AccountThrottled`,
      ].map((AlarmName) => ({ AlarmName })),
    };
  if (command === 'list-stack-resources') {
    listed.push(value);
    return {
      StackResourceSummaries: [
        { LogicalResourceId: 'New', ResourceType: 'AWS::SQS::Queue' },
        {
          LogicalResourceId: 'Queue',
          ResourceType: 'AWS::SQS::Queue',
          PhysicalResourceId: `https://sqs.eu-west-1.amazonaws.com/1/${value === GLOBEX ? QUEUE : 'other'}`,
        },
      ],
    };
  }
  const contributors: Record<string, object[]> = {
    [`${ACCOUNT}-ServerErrors`]: [{ ApiName: GLOBEX }, { ApiName: 'course-progress-migration-initech-production' }],
    [`${ACCOUNT}-MessagesWait`]: [{ QueueName: QUEUE }],
  };
  return { AlarmContributors: (contributors[value] ?? []).map((each) => ({ ContributorAttributes: each })) };
};

it('alarmsOf: alarms of stacks and of the account → those of the asked stacks, by name, API or queue', async () => {
  expect(await alarmsOf([ACME, GLOBEX], cli)()).toEqual([
    { stack: ACME, alarm: 'ServerErrors' },
    { stack: GLOBEX, alarm: 'MessagesWait' },
    { stack: GLOBEX, alarm: 'ServerErrors' },
  ]);
});

it('alarmsOf: two alarms that name a stack or a queue, and three looks → the resources of each stack are read once', async () => {
  listed.length = 0;
  const look = alarmsOf([ACME, GLOBEX], cli);
  expect(listed).toEqual([]);
  for (let looks = 0; looks < 3; looks += 1) await look();
  expect(listed).toEqual([ACME, GLOBEX]);
});
