/** The calls that a policy allows, and the policies that are refused. Costs milliseconds. */
import { describe, expect, it } from 'vitest';
import { statementFor, statementsOf } from '../../../bin/local/iam/policy.ts';
import { StartupFault } from '../../../bin/local/lifecycle.ts';

const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/t';
const INDEX = `${TABLE}/index/by-date`;

const like = (...patterns: string[]) => ({ 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': patterns } });
const notLike = (...patterns: string[]) => ({ 'ForAllValues:StringNotLike': { 'dynamodb:LeadingKeys': patterns } });
const isNull = (value: unknown) => ({ Null: { 'dynamodb:LeadingKeys': value } });

const allow = (Action: unknown, Resource: unknown, Condition?: object) => ({
  Statement: [{ Effect: 'Allow', Action, Resource, ...(Condition && { Condition }) }],
});

function isAllowed(document: object, action: string, resource: string, ...leadingKeys: string[]): boolean {
  return statementFor(statementsOf(document, 'Test'), { action, resource, leadingKeys }) !== undefined;
}

const READ = 'dynamodb:BatchGetItem';
const QUERY = 'dynamodb:Query';
const INSERT = 'dynamodb:PartiQLInsert';
const userOnly = allow(READ, TABLE, { ...like('*#user#*'), ...isNull('false') });
const noLogins = allow(READ, TABLE, { ...like('*#user#*'), ...notLike('login#*') });
const openOnly = allow(QUERY, INDEX, like('open'));

describe('calls', () => {
  it.each([
    ['allowed: action and resource match', allow(READ, TABLE), READ, TABLE, [], true],
    ['allowed: one action of several', allow(['dynamodb:GetItem', READ], TABLE), READ, TABLE, [], true],
    ['allowed: actions have no case', allow('DynamoDB:batchgetitem', TABLE), READ, TABLE, [], true],
    ['allowed: an action by a wildcard', allow('dynamodb:Batch*', TABLE), READ, TABLE, [], true],
    ['denied: another action', allow('dynamodb:GetItem', TABLE), READ, TABLE, [], false],
    ['denied: an action that only begins like it', allow('dynamodb:Batch', TABLE), READ, TABLE, [], false],
    ['denied: another table', allow(READ, `${TABLE}2`), READ, TABLE, [], false],
    ['denied: resources have case', allow(READ, TABLE.replace('table/t', 'table/T')), READ, TABLE, [], false],
    ['denied: no statements', { Statement: [] }, READ, TABLE, [], false],
    ['denied: the index of a table that is granted', allow(QUERY, TABLE), QUERY, INDEX, [], false],
    ['denied: the table of an index that is granted', openOnly, QUERY, TABLE, ['open'], false],
    ['allowed: an index', openOnly, QUERY, INDEX, ['open'], true],
    ['denied: another partition of an index', openOnly, QUERY, INDEX, ['a'], false],
    ['allowed: any index by a wildcard', allow(QUERY, `${TABLE}/index/*`), QUERY, INDEX, [], true],
    ['allowed: every leading key matches', userOnly, READ, TABLE, ['a#user#x', 'b#user#y'], true],
    ['denied: one leading key does not', userOnly, READ, TABLE, ['a#user#x', 'a#import#y'], false],
    ['allowed: a wildcard matches line breaks', userOnly, READ, TABLE, ['a#user#x\ny'], true],
    ['allowed: `ForAllValues` is true of no keys', allow(READ, TABLE, like('a')), READ, TABLE, [], true],
    ['denied: no keys where `Null` asks for some', userOnly, READ, TABLE, [], false],
    ['allowed: no keys where `Null` asks for none', allow(READ, TABLE, isNull(true)), READ, TABLE, [], true],
    ['denied: a key where `Null` asks for none', allow(READ, TABLE, isNull('true')), READ, TABLE, ['a'], false],
    ['denied: an excluded key', noLogins, READ, TABLE, ['login#x#user#y@z.test'], false],
    ['allowed: a key beside the excluded ones', noLogins, READ, TABLE, ['acme#user#login#y'], true],
    ['denied: a pattern is no regular expression', allow(READ, TABLE, like('a.c')), READ, TABLE, ['abc'], false],
    ['allowed: a question mark is one character', allow(READ, TABLE, like('a?c')), READ, TABLE, ['abc'], true],
    ['denied: a question mark is not none', allow(READ, TABLE, like('a?c')), READ, TABLE, ['ac'], false],
    ['allowed: PartiQL by its own action', allow(INSERT, TABLE), INSERT, TABLE, ['a'], true],
    ['denied: PartiQL by the action of an item', allow('dynamodb:PutItem', TABLE), INSERT, TABLE, ['a'], false],
  ] as const)('a call is %s', (_, document, action, resource, keys, allowed) => {
    expect(isAllowed(document, action, resource, ...keys)).toBe(allowed);
  });

  it('a call is denied if only two statements together would allow it', () => {
    const one = allow(READ, TABLE, like('a')).Statement;
    const other = allow(READ, TABLE, like('b')).Statement;
    expect(isAllowed({ Statement: [...one, ...other] }, READ, TABLE, 'a', 'b')).toBe(false);
  });
});

const statement = { Effect: 'Allow', Action: READ, Resource: TABLE };
it.each([
  ['a denial', { ...statement, Effect: 'Deny' }, 'the effect Deny'],
  ['all actions but some', { Effect: 'Allow', NotAction: READ, Resource: TABLE }, 'NotAction'],
  ['all resources but some', { Effect: 'Allow', Action: READ, NotResource: TABLE }, 'NotResource'],
  ['a principal', { ...statement, Principal: '*' }, 'Principal'],
  ['another operator', { ...statement, Condition: { StringLike: { 'dynamodb:LeadingKeys': 'a' } } }, 'StringLike'],
  ['`ForAnyValue`', { ...statement, Condition: { 'ForAnyValue:StringLike': {} } }, 'ForAnyValue:StringLike'],
  ['a member of every object', { ...statement, Condition: { constructor: {} } }, 'constructor'],
  ['another key', { ...statement, Condition: { Null: { 'aws:SourceIp': 'false' } } }, 'aws:SourceIp'],
  ['a policy variable', { ...statement, Condition: like('${aws:userid}') }, 'a policy variable'],
  ['a reference that is not resolved', { ...statement, Resource: { Ref: 'T' } }, '{"Ref":"T"}'],
])('the stack does not start on %s, which it would evaluate in part', (_, unknown, construct) => {
  const start = () => statementsOf({ Statement: [unknown] }, 'LoginPolicy');
  expect(start).toThrow(StartupFault);
  expect(start).toThrow('the policy LoginPolicy uses');
  expect(start).toThrow(construct);
});
