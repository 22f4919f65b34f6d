# For scripts/gtkwave: prints every row that the save file shows, including group names, with its value at the time TIME.
# The time TIME is then at the left edge.
gtkwave::setMarker $::env(TIME)
gtkwave::setWindowStartTime $::env(TIME)
set rows [gtkwave::getTotalNumTraces]
for {set n 0} {$n < $rows} {incr n} {
  puts "ROW [gtkwave::getTraceNameFromIndex $n] [gtkwave::getTraceValueAtMarkerFromIndex $n]"
}
puts END
flush stdout
