// Figures as PDF. librsvg draws them, as a program: SVG is what it is made for, it comes with most desktops,
// and whoever only wants SVG or HTML need not have it.
#pragma once

#include <filesystem>

namespace subcore {

// Makes a PDF of the SVG, the same file each time. False if there is no rsvg-convert on this machine. Throws
// std::runtime_error when it fails.
bool make_pdf(const std::filesystem::path& svg, const std::filesystem::path& pdf);

}  // namespace subcore
