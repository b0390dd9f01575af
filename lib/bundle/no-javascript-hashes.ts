/**
 * Stands in for the SDK's SHA-256 and MD5 in JavaScript, to which it resorts where Node has been built without them. The Node
 * of Lambda has both, and computes them itself either way.
 */
function refuse(): never {
  throw new Error('This build hashes with node:crypto alone.');
}

export { refuse as Md5Js, refuse as Sha256Js };
