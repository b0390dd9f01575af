// An ESM import of node:http makes Node load its whole fetch implementation; taking the module from the process does not.
module.exports = process.getBuiltinModule('node:http');
