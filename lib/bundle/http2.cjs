// See http.cjs.
module.exports = process.getBuiltinModule('node:http2');
