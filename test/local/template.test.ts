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
    ['an attribute in dotted form', { 'Fn::GetAtt': 'Queue.Arn' }, 'arn:q'],
    ['joined parts', { 'Fn::Join': ['/', ['a', { Ref: 'Queue' }]] }, 'a/http://127.0.0.1:1/q'],
    ['substituted text', { 'Fn::Sub': '${AWS::Partition}-${Queue.Arn}-${!kept}' }, 'aws-arn:q-${kept}'],
    ['substituted text with variables', { 'Fn::Sub': ['${x}', { x: { Ref: 'Queue' } }] }, 'http://127.0.0.1:1/q'],
    ['a selected part of split text', { 'Fn::Select': ['1', { 'Fn::Split': [':', 'a:b'] }] }, 'b'],
    ['nested members', { a: [{ Ref: 'Queue' }, null, 1] }, { a: ['http://127.0.0.1:1/q', null, 1] }],
  ])('resolveIntrinsics: %s → its value', (_, value, expected) => {
    expect(resolveIntrinsics(value, resources)).toEqual(expected);
  });

  it('resolveIntrinsics: an unsupported function → an error, rather than an unresolved value', () => {
    expect(() => resolveIntrinsics({ 'Fn::ImportValue': 'x' }, resources)).toThrow('Fn::ImportValue');
  });
});
