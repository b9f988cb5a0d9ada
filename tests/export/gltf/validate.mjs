// Errors and warnings of the Khronos validator: node validate.mjs MODULES FILE…; one line each on stdout.
import { createRequire } from 'module';
import fs from 'fs';

const [modules, ...files] = process.argv.slice(2);
const validator = createRequire(`${modules}/`)('gltf-validator');
for (const file of files) {
  const bytes = new Uint8Array(fs.readFileSync(file));
  const report = await validator.validateBytes(bytes, { uri: file, maxIssues: 1000 });
  for (const found of report.issues.messages)
    if (found.severity <= 1) console.log(`${file}: ${found.code}: ${found.message} ${found.pointer}`);
}
