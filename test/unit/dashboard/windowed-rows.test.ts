import { expect } from 'chai';
import { scrollTopToShow, windowRange } from '../../../dashboard/src/components/window-range.js';

describe('rows of a windowed list', () => {
  it('are rendered if they are visible, with ten to spare on both sides', () => {
    const viewport = { height: 800, rowHeight: 40, count: 10_000 };
    expect(windowRange({ ...viewport, scrollTop: 0 })).to.deep.equal({ start: 0, end: 31 });
    expect(windowRange({ ...viewport, scrollTop: 4_000 })).to.deep.equal({ start: 90, end: 131 });
    expect(windowRange({ ...viewport, scrollTop: 399_200 })).to.deep.equal({
      start: 9_969,
      end: 10_000,
    });
  });

  it('are all rendered in a short list', () => {
    const viewport = { scrollTop: 0, height: 800, rowHeight: 40 };
    expect(windowRange({ ...viewport, count: 3 })).to.deep.equal({ start: 0, end: 3 });
    expect(windowRange({ ...viewport, count: 0 })).to.deep.equal({ start: 0, end: 0 });
  });

  it('are rendered even when the list became shorter than its scroll position', () => {
    const range = windowRange({ scrollTop: 40_000, height: 800, rowHeight: 40, count: 50 });
    expect(range).to.deep.equal({ start: 19, end: 50 });
  });

  it('scroll into view, and no further', () => {
    const viewport = { scrollTop: 400, height: 800, rowHeight: 40 };
    expect(scrollTopToShow(5, viewport)).to.equal(200);
    expect(scrollTopToShow(10, viewport)).to.equal(400);
    expect(scrollTopToShow(29, viewport)).to.equal(400);
    expect(scrollTopToShow(30, viewport)).to.equal(440);
  });
});
