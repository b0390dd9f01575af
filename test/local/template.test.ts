import { describe, expect, it } from 'vitest';
import { PhysicalResources, resolveIntrinsics } from '../../bin/local/template.ts';

const resources = new PhysicalResources();
resources.set('Queue', { ref: 'http://127.0.0.1:1/q', attributes: { Arn: 'arn:q' } });

describe('resolveIntrinsics', () => {
  it.each([
    ['a reference', { Ref: 'Queue' }, 'http://127.0.0.1:1/q'],
    ['a pseudo parameter', { Ref: 'AWS::Region' }, 'us-east-1'],
    ['a resource without a local counterpart', { Ref: 'Integration' }, 'Integration'],
    ['an attribute', { 'Fn::GetAtt': ['Queue', 'Arn'] }, 'arn:q'],
    ['joined parts', { 'Fn::Join': ['/', ['a', { Ref: 'Queue' }]] }, 'a/http://127.0.0.1:1/q'],
    ['substituted text', { 'Fn::Sub': 'assets-${AWS::Region}' }, 'assets-us-east-1'],
    ['nested members', { a: [{ Ref: 'Queue' }, null, 1] }, { a: ['http://127.0.0.1:1/q', null, 1] }],
  ])('resolveIntrinsics: %s → its value', (_, value, expected) => {
    expect(resolveIntrinsics(value, resources)).toEqual(expected);
  });

  it('resolveIntrinsics: an unsupported function → an error, rather than an unresolved value', () => {
    expect(() => resolveIntrinsics({ 'Fn::ImportValue': 'x' }, resources)).toThrow('Fn::ImportValue');
  });
});
