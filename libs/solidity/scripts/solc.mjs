#!/usr/bin/env node
// Lets forge use the compiler from npm, which needs no download of its own.
import { readFileSync } from 'node:fs';
import solc from 'solc';

if (process.argv.includes('--version')) {
  process.stdout.write(
    `solc, the solidity compiler\nVersion: ${solc.version().replace('Emscripten.clang', 'Linux.g++')}\n`,
  );
} else {
  process.stdout.write(solc.compile(readFileSync(0, 'utf8')));
}
