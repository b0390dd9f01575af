/** Changes of the setting `web-acl`, as CloudFormation and WAF carry them out. Costs three seconds. */
import { expect, it } from 'vitest';
import { type Resource, resourcesOfType, type Template } from '../../../bin/local/template.ts';
import { templateOf } from '../../kit/template.ts';

const ARN = 'arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/ours/1';
const OTHER = 'arn:aws:wafv2:eu-west-1:123456789012:regional/webacl/others/2';

interface Policies {
  readonly UpdateReplacePolicy?: string;
  readonly DependsOn?: string | readonly string[];
}

interface Association {
  readonly id: string;
  readonly acl: string;
  readonly isKept: boolean;
  /** Resources that come before it. */
  readonly after: number;
}

function associationsIn(template: Template): Association[] {
  return resourcesOfType(template, 'AWS::WAFv2::WebACLAssociation').map(([id, { WebACLArn }, resource]) => {
    const { UpdateReplacePolicy, DependsOn = [] }: Resource & Policies = resource;
    return {
      id,
      acl: JSON.stringify(WebACLArn),
      isKept: UpdateReplacePolicy === 'Retain',
      after: new Set([DependsOn].flat()).size,
    };
  });
}

/**
 * The web ACL of the stage after each step of an update. CloudFormation creates a replacement before it deletes what it
 * replaced. In WAF, the ACL that was associated last counts, and a disassociation names the stage only.
 */
function update(from: Association | undefined, to: Association | undefined): (string | undefined)[] {
  if (to === undefined) return from === undefined ? [] : [undefined];
  const replaces = from?.id === to.id && from.acl !== to.acl && !from.isKept;
  return [to.acl, ...(replaces || (from !== undefined && from.id !== to.id) ? [undefined] : [])];
}

const settings = {
  own: ['own', false],
  ours: [ARN, true],
  others: [OTHER, false],
  account: [undefined, true],
  none: ['none', true],
} as const;
type Name = keyof typeof settings;
const names = Object.keys(settings) as Name[];
const templateWith = (name: Name): Template => {
  const [webAcl, ofAccount] = settings[name];
  const own = webAcl === undefined ? {} : { webAcl };
  return templateOf({ company: 'acme', stage: 'production', ...own }, { 'web-acl': ofAccount });
};
const associationOf = (name: Name): Association | undefined => associationsIn(templateWith(name))[0];

it.each(names.flatMap((from) => names.filter((to) => to !== from).map((to) => [from, to] as const)))(
  'a change of web-acl from %s to %s: the API has the web ACL of the one or the other at each moment, and then that of the other',
  (from, to) => {
    const steps = update(associationOf(from), associationOf(to));
    expect(steps).toEqual([associationOf(to)?.acl]);
  },
);

it('an association that CloudFormation deletes would leave the API without a web ACL', () => {
  const deletable = (name: Name) => ({ ...(associationOf(name) as Association), isKept: false });
  expect(update(deletable('own'), deletable('ours')).at(-1)).toBeUndefined();
});

it.each(names.filter((name) => name !== 'none'))(
  '%s: the association comes after every other resource, so no rollback takes it back; a web ACL has no name to meet again',
  (name) => {
    const template = templateWith(name);
    expect(associationOf(name)?.after).toBe(Object.keys(template.Resources).length - 1);
    for (const [, { Name }] of resourcesOfType(template, 'AWS::WAFv2::WebACL')) expect(Name).toBeUndefined();
  },
);
