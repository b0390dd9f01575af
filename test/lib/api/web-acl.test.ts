/** Changes of the setting `web-acl`, template by template, as CloudFormation and WAF carry them out. Costs three seconds. */
import { describe, expect, it } from 'vitest';
import { type Resource, resourcesOfType, type Template } from '../../../bin/local/template.ts';
import { templateOf } from '../../kit/template.ts';

const ARN = 'arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/ours/1';
const OTHER = 'arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/others/2';

interface Association {
  readonly id: string;
  readonly acl: string;
  readonly isKept: boolean;
}

function associationsIn(template: Template): Association[] {
  return resourcesOfType(template, 'AWS::WAFv2::WebACLAssociation').map(([id, { WebACLArn }, resource]) => {
    const { DeletionPolicy }: Resource & { readonly DeletionPolicy?: string } = resource;
    return { id, acl: JSON.stringify(WebACLArn), isKept: DeletionPolicy === 'Retain' };
  });
}

/**
 * An update of CloudFormation: it creates what is new, and then deletes what is gone. If the update fails in between, it deletes
 * what it created. Returns the web ACL of the stage after each step; `undefined` is none.
 */
function update(from: readonly Association[], to: readonly Association[], outcome: 'succeeds' | 'fails') {
  const missingIn = (others: readonly Association[]) => (each: Association) => others.every(({ id }) => id !== each.id);
  const created = to.filter(missingIn(from));
  const deleted = (outcome === 'succeeds' ? from.filter(missingIn(to)) : created).filter(({ isKept }) => !isKept);
  // WAF: a stage has the web ACL that was associated last, and to disassociate names the stage only.
  return [...created.map(({ acl }) => acl), ...deleted.map(() => undefined)];
}

const settings = {
  own: ['own', false],
  ours: [ARN, false],
  others: [OTHER, false],
  account: [undefined, true],
} as const;
type Name = keyof typeof settings;
const names = Object.keys(settings) as Name[];
const associationsOf = (name: Name): Association[] => {
  const [webAcl, ofAccount] = settings[name];
  const own = webAcl === undefined ? {} : { webAcl };
  return associationsIn(templateOf({ company: 'acme', stage: 'production', ...own }, { webAcl: ofAccount }));
};

describe.each(names.flatMap((from) => names.filter((to) => to !== from).map((to) => [from, to] as const)))(
  'a change of web-acl from %s to %s',
  (from, to) => {
    it.each(['succeeds', 'fails'] as const)('the API has a web ACL at each moment of an update that %s', (outcome) => {
      const steps = update(associationsOf(from), associationsOf(to), outcome);
      expect(steps).toEqual(associationsOf(to).map(({ acl }) => acl));
    });
  },
);

it('the setting none leaves the API without a web ACL, also beside an account stack that has one', () => {
  const none = { company: 'acme', stage: 'production', webAcl: 'none' } as const;
  expect(associationsIn(templateOf(none, { webAcl: true }))).toEqual([]);
});

it('an association that CloudFormation deletes would leave the API without a web ACL', () => {
  const deletable = (name: Name) => associationsOf(name).map((each) => ({ ...each, isKept: false }));
  expect(update(deletable('own'), deletable('ours'), 'succeeds').at(-1)).toBeUndefined();
});

it('a web ACL of the stack’s own is deleted after the stage that it protects', () => {
  const template = templateOf({ company: 'acme', stage: 'sandbox', webAcl: 'own' });
  const [[acl] = []] = resourcesOfType(template, 'AWS::WAFv2::WebACL');
  const [[, , stage] = []] = resourcesOfType(template, 'AWS::ApiGateway::Stage');
  expect(stage).toMatchObject({ DependsOn: expect.arrayContaining([acl]) });
});
