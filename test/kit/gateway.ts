/**
 * A web ACL and the APIs behind it, in virtual time: counts requests as AWS WAF does, by its rules in a template, and takes tokens
 * from the bucket of each method, as API Gateway does by the settings of a stage.
 */
import { resourcesOfType, type Template } from '../../bin/local/template.ts';

export interface WebRequest {
  readonly method: string;
  /** As the web ACL sees it: with the stage, percent-encoded. */
  readonly path: string;
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The address of the caller. */
  readonly ip: string;
}

interface Statement {
  readonly RateBasedStatement?: RateBased;
  readonly AndStatement?: { readonly Statements: readonly Statement[] };
  readonly OrStatement?: { readonly Statements: readonly Statement[] };
  readonly NotStatement?: { readonly Statement: Statement };
  readonly ByteMatchStatement?: Matching & { readonly SearchString: string; readonly PositionalConstraint: string };
  readonly RegexMatchStatement?: Matching & { readonly RegexString: string };
}

interface Matching {
  readonly FieldToMatch: {
    readonly UriPath?: object;
    readonly Method?: object;
    readonly SingleHeader?: { Name: string };
  };
}

interface RateBased {
  readonly Limit: number;
  readonly EvaluationWindowSec: number;
  readonly AggregateKeyType: 'IP' | 'CUSTOM_KEYS';
  readonly CustomKeys?: readonly { readonly IP?: object; readonly Header?: { readonly Name: string } }[];
  readonly ScopeDownStatement?: Statement;
}

export interface RateRule {
  readonly name: string;
  readonly limit: number;
  readonly matches: (request: WebRequest) => boolean;
  readonly keyOf: (request: WebRequest) => string;
}

/** The rules of the web ACL of a template; each has a window of a minute. */
export function rateRulesOf(template: Template): RateRule[] {
  const [[, acl] = []] = resourcesOfType(template, 'AWS::WAFv2::WebACL');
  const rules = acl?.['Rules'] as { Name: string; Statement: Statement }[];
  return rules.map(({ Name: name, Statement: { RateBasedStatement: rate } }) => {
    if (rate === undefined || rate.EvaluationWindowSec !== 60) throw new Error(`${name} is no rate of a minute.`);
    const { Limit: limit, ScopeDownStatement: scope, AggregateKeyType, CustomKeys = [{ IP: {} }] } = rate;
    if (AggregateKeyType === 'CUSTOM_KEYS' && rate.CustomKeys === undefined) throw new Error(`${name} has no keys.`);
    return {
      name,
      limit,
      matches: (request) => scope === undefined || isMatch(scope, request),
      keyOf: (request) =>
        JSON.stringify(CustomKeys.map(({ Header }) => (Header ? headerOf(Header.Name, request) : request.ip))),
    };
  });
}

const headerOf = (name: string, { host, headers }: WebRequest): string | undefined =>
  name === 'host' ? host.toLowerCase() : headers[name];

function isMatch(statement: Statement, request: WebRequest): boolean {
  const { AndStatement: and, OrStatement: or, NotStatement: not } = statement;
  if (and) return and.Statements.every((each) => isMatch(each, request));
  if (or) return or.Statements.some((each) => isMatch(each, request));
  return not ? !isMatch(not.Statement, request) : isFieldMatch(statement, request);
}

function isFieldMatch(statement: Statement, request: WebRequest): boolean {
  const { ByteMatchStatement: bytes, RegexMatchStatement: regex } = statement;
  const value = fieldOf((bytes ?? regex)?.FieldToMatch ?? {}, request);
  if (value === undefined) return false;
  if (regex) return new RegExp(regex.RegexString).test(value);
  if (bytes?.PositionalConstraint === 'ENDS_WITH') return value.endsWith(bytes.SearchString);
  if (bytes?.PositionalConstraint === 'STARTS_WITH') return value.toLowerCase().startsWith(bytes.SearchString);
  throw new Error(`The gateway does not know ${JSON.stringify(statement)}.`);
}

function fieldOf({ UriPath, Method, SingleHeader }: Matching['FieldToMatch'], request: WebRequest): string | undefined {
  if (UriPath) return decodeURIComponent(request.path);
  if (Method) return request.method;
  return SingleHeader && headerOf(SingleHeader.Name, request);
}

export interface MethodRate {
  readonly method: string;
  /** With its parameters, such as `/v1/migrations/{company_id}/progress/imports`; `/*` of all that have no rate of their own. */
  readonly path: string;
  readonly perSecond: number;
  readonly burst: number;
}

export function methodRatesOf(template: Template): MethodRate[] {
  const [[, stage] = []] = resourcesOfType(template, 'AWS::ApiGateway::Stage');
  const settings = stage?.['MethodSettings'] as {
    ResourcePath: string;
    HttpMethod: string;
    ThrottlingRateLimit: number;
    ThrottlingBurstLimit: number;
  }[];
  return settings.map(({ ResourcePath, HttpMethod, ThrottlingRateLimit, ThrottlingBurstLimit }) => ({
    method: HttpMethod,
    path: ResourcePath === '/*' ? '/*' : ResourcePath.slice(1).replaceAll('~1', '/'),
    perSecond: ThrottlingRateLimit,
    burst: ThrottlingBurstLimit,
  }));
}

/** @returns what refuses a request, if anything does: `waf` with the name of the rule, or `throttle` */
export function gatewayOf(rules: readonly RateRule[], rates: readonly MethodRate[], nowMs: () => number) {
  const counted = new Map<string, number[]>();
  const buckets = new Map<string, { tokens: number; atMs: number }>();
  const isBlocked = ({ name, limit, matches, keyOf }: RateRule, request: WebRequest) => {
    if (!matches(request)) return false;
    const key = `${name} ${keyOf(request)}`;
    const recent = (counted.get(key) ?? []).filter((atMs) => nowMs() - atMs < 60_000);
    counted.set(key, [...recent, nowMs()]);
    return recent.length >= limit;
  };
  const rateOf = ({ method, path }: WebRequest): MethodRate | undefined => {
    const [, , ...parts] = path.split('/');
    const isOf = (rate: MethodRate) => {
      const named = rate.path.split('/').slice(1);
      return named.length === parts.length && named.every((part, at) => part.startsWith('{') || part === parts[at]);
    };
    return rates.find((rate) => rate.method === method && isOf(rate)) ?? rates.find(({ path: all }) => all === '/*');
  };
  return {
    refuses(request: WebRequest): 'waf' | 'throttle' | undefined {
      // Each rule counts, whatever another one says.
      if (rules.map((rule) => isBlocked(rule, request)).includes(true)) return 'waf';
      const rate = rateOf(request);
      if (rate === undefined) return undefined;
      const key = JSON.stringify([request.host, rate.method, rate.path]);
      const { tokens, atMs } = buckets.get(key) ?? { tokens: rate.burst, atMs: nowMs() };
      const filled = Math.min(rate.burst, tokens + ((nowMs() - atMs) / 1_000) * rate.perSecond);
      buckets.set(key, { tokens: Math.max(0, filled - 1), atMs: nowMs() });
      return filled < 1 ? 'throttle' : undefined;
    },
  };
}
