"use strict";

// Every table sorts by the column whose heading is pressed; a second press turns it round.
function keyOf(row, column) {
  const cell = row.cells[column];
  return cell.dataset.value === undefined ? cell.textContent : Number(cell.dataset.value);
}

function compare(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a !== typeof b) return 0;
  return a.localeCompare(b, undefined, { numeric: true });
}

function sortBy(table, heading) {
  const column = heading.cellIndex;
  const down = heading.getAttribute("aria-sort") === "ascending";
  const body = table.tBodies[0];
  const numeric = heading.classList.contains("number");
  const rows = Array.from(body.rows, (row) => ({ row, key: keyOf(row, column) }));
  const missing = ({ key }) => numeric && typeof key !== "number";
  rows.sort((a, b) => {
    // What has no number stays last, whichever way the others go.
    if (missing(a) || missing(b)) return missing(a) - missing(b);
    return down ? compare(b.key, a.key) : compare(a.key, b.key);
  });
  body.append(...rows.map(({ row }) => row));
  for (const other of heading.parentElement.cells) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", down ? "descending" : "ascending");
}

for (const table of document.querySelectorAll("table")) {
  for (const heading of table.tHead.rows[0].cells) {
    heading.querySelector("button").addEventListener("click", () => sortBy(table, heading));
  }
}

// The table of times is long: choices narrow it down.
for (const choices of document.querySelectorAll(".choices")) {
  const rows = document.querySelectorAll("#times tbody tr");
  const selects = [...choices.querySelectorAll("select")];
  const fits = (row) => selects.every((s) => !s.value || row.dataset[s.dataset.choice] === s.value);
  choices.hidden = false;
  choices.addEventListener("change", () => {
    for (const row of rows) row.hidden = !fits(row);
  });
}

// Paper cannot be opened.
addEventListener("beforeprint", () => {
  for (const details of document.querySelectorAll("details")) details.open = true;
});
