// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pictures whose cells are marked together. The module writes "INDEX: DETAILS" as the title of each cell; cells with the same
// index show the same place.
'use strict';

const LayoutPictures = (() => {
  const groups = [];

  class Picture {
    constructor(element, group) {
      this.element = element;
      this.group = group;
      this.byIndex = null;
      this.current = null;
      element.addEventListener('pointerover', (event) => this.enter(event.target));
      element.addEventListener('click', (event) => this.enter(event.target));
      element.addEventListener('focus', () => this.focus());
      element.addEventListener('keydown', (event) => this.press(event));
    }

    // All pictures have the same style, which the page keeps: a style that comes and goes has the browser style all cells anew.
    show(svg = '') {
      const [rules] = svg.match(/<style>[^]*?<\/style>/) ?? [''];
      if (rules && !document.getElementById('picture-style')) {
        document.head.insertAdjacentHTML('beforeend', rules.replace('<style', '<style id="picture-style"'));
      }
      this.element.innerHTML = svg.replace(rules, '');
      this.byIndex = null;
      this.current = null;
    }

    static indexOf(cell) { return cell.firstElementChild.textContent.split(':', 1)[0]; }

    cells() {
      if (this.byIndex) return this.byIndex;
      this.byIndex = new Map();
      for (const title of this.element.querySelectorAll('rect > title')) {
        const index = title.textContent.split(':', 1)[0];
        const found = this.byIndex.get(index);
        if (found) found.push(title.parentNode); else this.byIndex.set(index, [title.parentNode]);
      }
      return this.byIndex;
    }

    // The rectangle under the pointer; a label lies above that of its cell.
    enter(target) {
      let cell = target.closest?.('rect, text');
      if (cell?.tagName === 'text') cell = cell.previousElementSibling;
      if (!cell?.firstElementChild || cell.tagName !== 'rect' || cell === this.current) return;
      this.current = cell;
      this.group.mark(Picture.indexOf(cell), cell);
    }

    focus() {
      if (this.current) return;
      const first = this.cells().values().next().value;
      if (first) this.enter(first[0]);
    }

    press(event) {
      const steps = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
      const all = [...this.cells().values()].flat();
      if (all.length === 0) return;
      let cell = null;
      if (steps[event.key]) cell = this.neighbor(all, ...steps[event.key]);
      if (event.key === 'Home') cell = all[0];
      if (event.key === 'End') cell = all[all.length - 1];
      if (!cell) return;
      event.preventDefault();
      this.enter(cell);
      cell.scrollIntoView({block: 'nearest', inline: 'nearest'});
    }

    // The nearest cell in a direction: a step sideways counts four times.
    neighbor(all, across, down) {
      const at = (cell) => [cell.x.baseVal.value + cell.width.baseVal.value / 2, cell.y.baseVal.value + cell.height.baseVal.value / 2];
      const [x, y] = at(this.current ?? all[0]);
      let best = null;
      let least = Infinity;
      for (const cell of all) {
        const [cx, cy] = at(cell);
        const along = (cx - x) * across + (cy - y) * down;
        const aside = Math.abs((cx - x) * down) + Math.abs((cy - y) * across);
        if (along < 1 || along + 4 * aside >= least) continue;
        least = along + 4 * aside;
        best = cell;
      }
      return best;
    }

    mark(index) {
      for (const cell of this.element.querySelectorAll('.linked')) cell.classList.remove('linked');
      const cells = this.cells().get(index) ?? [];
      for (const cell of cells) cell.classList.add('linked');
      return cells;
    }
  }

  class Group {
    constructor(onMark) {
      this.pictures = [];
      this.onMark = onMark;
    }

    add(id) {
      const picture = new Picture(document.getElementById(id), this);
      this.pictures.push(picture);
      return picture;
    }

    // Marks a place in all pictures, and scrolls to it in those that `from` is not in.
    mark(index, from = null) {
      for (const picture of this.pictures) {
        const cells = picture.mark(index);
        if (cells.length > 0 && !picture.element.contains(from)) this.reveal(picture.element, cells[0]);
      }
      this.onMark(index, from?.firstElementChild?.textContent ?? '');
    }

    // Scrolls the picture alone, not the page.
    reveal(element, cell) {
      const inner = cell.getBoundingClientRect();
      const outer = element.getBoundingClientRect();
      if (inner.left < outer.left || inner.right > outer.right) element.scrollLeft += inner.left - outer.left - outer.width / 2;
      if (inner.top < outer.top || inner.bottom > outer.bottom) element.scrollTop += inner.top - outer.top - outer.height / 2;
    }
  }

  const group = (onMark) => {
    groups.push(new Group(onMark));
    return groups[groups.length - 1];
  };
  return {group};
})();
