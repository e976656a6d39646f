// Runs the firmware's scenario in the 32-bit WebAssembly MicroPython.
// node wasm_run.mjs PACKAGE_FOLDER PROJECT_ROOT
import { readdirSync, readFileSync, statSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [packageFolder, root] = process.argv.slice(2);
const { loadMicroPython } = await import(pathToFileURL(`${packageFolder}/micropython.mjs`).href);
const vm = await loadMicroPython({ heapsize: 1024 * 1024, stdout: (line) => console.log(line), linebuffer: true });

function copy(path) {
    vm.FS.mkdirTree(`/project/${path}`);
    for (const name of readdirSync(`${root}/${path}`)) {
        const from = `${root}/${path}/${name}`;
        if (statSync(from).isFile() && /\.(py|json)$/.test(name)) {
            vm.FS.writeFile(`/project/${path}/${name}`, readFileSync(from));
        }
    }
}

for (const path of [
    "firmware_protocol",
    "firmware_protocol/board",
    "firmware_protocol/vectors",
    "firmware_protocol/virtual",
    "tests",
    "tests/firmware_protocol",
]) {
    copy(path);
}
try {
    vm.runPython(readFileSync(`${root}/tests/firmware_protocol/scenario.py`, "utf8"));
} catch (error) {
    // Node would print the package's whole minified source with an uncaught one.
    console.error(error.message);
    process.exit(1);
}
